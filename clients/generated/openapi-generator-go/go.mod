module generated

go 1.24.0
