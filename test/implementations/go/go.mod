module proviso

go 1.19
