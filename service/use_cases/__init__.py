"""What the service does, without Flask: requests in, answers out."""
