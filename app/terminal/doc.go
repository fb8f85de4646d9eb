// Package terminal prints for people: findings, diagnoses and the progress of something long, wrapped to a terminal's
// width, at most 100 columns, and 80 where there is no terminal. The commands of casebook and of the lab print with it.
package terminal
