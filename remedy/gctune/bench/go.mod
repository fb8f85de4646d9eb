module github.com/gocasebook/casebook/remedy/gctune/bench

go 1.25.0

require (
	github.com/KimMachineGun/automemlimit v0.7.5
	github.com/bytedance/gopkg v0.1.3
	github.com/gocasebook/casebook/remedy v0.0.0
)

require (
	github.com/gocasebook/casebook v0.0.0 // indirect
	github.com/pbnjay/memory v0.0.0-20210728143218-7b4eea64cf58 // indirect
)

replace (
	github.com/gocasebook/casebook => ../../..
	github.com/gocasebook/casebook/remedy => ../../
)
