// Package cgroup finds a process's control group and reads what limits it.
//
// Linux has two versions of control groups, a container hides the path of its own group, and a limit of any group on
// the way to the root binds all below it. This package knows these things for the packages that ask about limits. On
// other systems the files do not exist, and everything is answered with "none".
package cgroup
