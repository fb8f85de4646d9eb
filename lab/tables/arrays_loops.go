package tables

// The loops of the table of arrays, one pair for each length. They are functions of their own so that nothing around
// them is optimised together with them.

//go:noinline
func copied64[T element](a *[64]T) (sum uint64) {
	for _, e := range *a {
		sum += e[0]
	}
	return sum
}

//go:noinline
func pointer64[T element](a *[64]T) (sum uint64) {
	for _, e := range a {
		sum += e[0]
	}
	return sum
}

//go:noinline
func copied128[T element](a *[128]T) (sum uint64) {
	for _, e := range *a {
		sum += e[0]
	}
	return sum
}

//go:noinline
func pointer128[T element](a *[128]T) (sum uint64) {
	for _, e := range a {
		sum += e[0]
	}
	return sum
}

//go:noinline
func copied256[T element](a *[256]T) (sum uint64) {
	for _, e := range *a {
		sum += e[0]
	}
	return sum
}

//go:noinline
func pointer256[T element](a *[256]T) (sum uint64) {
	for _, e := range a {
		sum += e[0]
	}
	return sum
}

//go:noinline
func copied512[T element](a *[512]T) (sum uint64) {
	for _, e := range *a {
		sum += e[0]
	}
	return sum
}

//go:noinline
func pointer512[T element](a *[512]T) (sum uint64) {
	for _, e := range a {
		sum += e[0]
	}
	return sum
}

//go:noinline
func copied1024[T element](a *[1024]T) (sum uint64) {
	for _, e := range *a {
		sum += e[0]
	}
	return sum
}

//go:noinline
func pointer1024[T element](a *[1024]T) (sum uint64) {
	for _, e := range a {
		sum += e[0]
	}
	return sum
}

//go:noinline
func copied2048[T element](a *[2048]T) (sum uint64) {
	for _, e := range *a {
		sum += e[0]
	}
	return sum
}

//go:noinline
func pointer2048[T element](a *[2048]T) (sum uint64) {
	for _, e := range a {
		sum += e[0]
	}
	return sum
}
