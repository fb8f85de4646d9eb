// Command gateway is Versity's S3 gateway over a folder, for one account: what "versitygw posix --sidecar" is, without
// its other back ends, its clients of AWS and its own tests, which are a third of what it compiles.
//
//	ROOT_ACCESS_KEY=… ROOT_SECRET_KEY=… gateway 127.0.0.1:7070 us-east-1 METADATA DATA
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/versity/versitygw/auth"
	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/s3api"
	"github.com/versity/versitygw/s3api/middlewares"
)

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gateway:", err)
		os.Exit(1)
	}
}

func serve(args []string) error {
	if len(args) != 4 {
		return errors.New("it wants an address, a region, and the folders of metadata and of data")
	}
	sidecar, err := meta.NewSideCar(args[2])
	if err != nil {
		return err
	}
	disk, err := posix.New(args[3], sidecar, posix.PosixOpts{SideCarDir: args[2], Concurrency: 5000})
	if err != nil {
		return err
	}
	access, secret := os.Getenv("ROOT_ACCESS_KEY"), os.Getenv("ROOT_SECRET_KEY")
	one := auth.NewIAMServiceSingle(auth.Account{Access: access, Secret: secret, Role: auth.RoleAdmin})
	s, err := s3api.New(disk, middlewares.RootUserConfig{Access: access, Secret: secret}, args[1], one, nil, nil, nil, nil,
		s3api.WithQuiet(), s3api.WithConcurrencyLimiter(250000, 100000), s3api.WithMpMaxParts(10000))
	if err != nil {
		return err
	}
	return s.ServeMultiPort(args[:1])
}
