"""What files and sources are called: pure, below everything that reads them."""
