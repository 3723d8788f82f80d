// The public face of this library.
