"""Pictures of what a program holds."""
