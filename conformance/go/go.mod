module dev.agentsessions/conformance

go 1.24
