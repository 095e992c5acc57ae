"""Where the processes of a program run on a machine with several memories."""
