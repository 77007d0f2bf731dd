"""Games kept by the service: what is stored, who may do what, and what each caller is shown."""
