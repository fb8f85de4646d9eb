// Package disktest gives tests file systems of their own: small ones that fill up. A test runs itself again in a new
// mount namespace, where it mounts a tmpfs that nobody else sees and that goes with the process.
package disktest
