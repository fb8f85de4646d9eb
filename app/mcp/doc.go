// Package mcp is `casebook mcp`: cases, diagnoses and proofs for an agent, by the Model Context Protocol.
//
// The problem: a language model that is asked why a service is slow gets a profile of megabytes, or a screen of a
// terminal, and makes the rest up. And who lets it run commands lets everybody run them whose text it reads: names in a
// profile are text. The approach: tools that read answer with the types of the commands' --json, bounded, saying what
// was cut, from one folder that no symbolic link leaves. Tools that run something are there only if the operator allows
// them, and take two calls: a plan says what exactly would run, and execute runs that and nothing else. What may be
// addressed and which commands a proof measures the operator says, never the model.
//
// Limits: what an allowed action does with the operator's code (building it, running its tests) it does with the
// operator's rights. Instructions to a model are not a fence; the fences are in code here.
package mcp
