// Package attribute has the names of the real one.
package attribute

type KeyValue struct{ Key, Value string }

func String(k, v string) KeyValue { return KeyValue{k, v} }

func Int(k string, v int) KeyValue { return KeyValue{k, ""} }
