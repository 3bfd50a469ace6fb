"""What runs inside an emulated machine whose power goes."""
