"""What torch.nested is made of."""
