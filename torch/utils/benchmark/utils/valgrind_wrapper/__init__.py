"""Instructions counted by valgrind."""
