package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
)

// An Event is what happened to a shipment.
type Event struct {
	At    time.Time `json:"at"`
	Kind  string    `json:"kind"`
	Place string    `json:"place"`
}

var bucket = []byte("events")

// Book is the events by shipment and number.
type Book struct{ db *bolt.DB }

// Open makes the file if there is none.
func Open(path string) (*Book, error) {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		return nil, fmt.Errorf("opening the journal: %w", err)
	}
	db.MaxBatchDelay = 8 * time.Millisecond
	db.MaxBatchSize = 200
	err = db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(bucket)
		return err
	})
	return &Book{db}, err
}

// Add returns when the event is on the disk.
func (b *Book) Add(shipment string, e Event) error {
	value, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return b.db.Batch(func(tx *bolt.Tx) error {
		events := tx.Bucket(bucket)
		n, err := events.NextSequence()
		if err != nil {
			return err
		}
		return events.Put(key(shipment, n), value)
	})
}

// Events are a shipment's first ones.
func (b *Book) Events(shipment string, limit int) ([]Event, error) {
	list := []Event{}
	err := b.db.View(func(tx *bolt.Tx) error {
		c := tx.Bucket(bucket).Cursor()
		prefix := append([]byte(shipment), 0)
		for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix) && len(list) < limit; k, v = c.Next() {
			var e Event
			if err := json.Unmarshal(v, &e); err != nil {
				return fmt.Errorf("event of %s: %w", shipment, err)
			}
			list = append(list, e)
		}
		return nil
	})
	return list, err
}

func key(shipment string, n uint64) []byte {
	return binary.BigEndian.AppendUint64(append([]byte(shipment), 0), n)
}
