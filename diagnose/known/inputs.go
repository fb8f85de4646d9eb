package known

import "strings"

// Input is what a package of the standard library's is read for, and how its user makes that smaller; "" for packages
// that do not tell.
func Input(pkg string) (what, smaller string) {
	if pkg == "image" || strings.HasPrefix(pkg, "image/") {
		return "the pixels of an image", "Scale the image down first"
	}
	return "", ""
}

// ReadsHeader is what net/http reads the header of a request with, and of a client's answer.
const ReadsHeader = "net/textproto.readMIMEHeader"
