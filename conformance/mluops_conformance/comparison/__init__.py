"""What became of a run's cases in another run: pure functions over two stored runs."""
