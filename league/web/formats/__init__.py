"""How pages write dates, where that differs from the framework, by language."""
