"""Reference kernels: the truth in NumPy, the ladder to a fast answer, the roof it runs into."""
