"""What pipes of files are made of: paths, streams, decoders."""
