"""What measured times mean: pure functions of samples, of the work of a call, and of a device's peaks."""
