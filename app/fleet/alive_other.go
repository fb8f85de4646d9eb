//go:build !unix

package fleet

// alive knows nothing here: a holder's time has to pass.
func alive(int) bool { return true }
