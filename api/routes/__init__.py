"""One file for each thing that can be asked over HTTP."""
