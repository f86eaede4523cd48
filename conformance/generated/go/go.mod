module dev.agentsessions/generated

go 1.24
