"""What is useful around torch: collect_env describes an installation, cpp_extension builds extensions."""
