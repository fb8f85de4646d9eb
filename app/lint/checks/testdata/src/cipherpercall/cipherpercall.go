package cipherpercall

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
)

type key struct {
	backing [][32]byte
	secret  []byte
	aead    cipher.AEAD
}

func (k *key) open(sealed []byte) ([]byte, error) {
	newest := k.backing[len(k.backing)-1]
	block, err := aes.NewCipher([]byte(newest[:])) // want `keep the cipher beside the key`
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block) // want `keep the cipher beside the key`
	if err != nil {
		return nil, err
	}
	n := gcm.NonceSize()
	return gcm.Open(nil, sealed[:n], sealed[n:], nil)
}

func (k *key) stream(iv []byte) (cipher.Stream, error) {
	block, err := aes.NewCipher(k.secret) // want `worked out of a key that is kept`
	if err != nil {
		return nil, err
	}
	return cipher.NewCTR(block, iv), nil
}

var shared []byte

func seal(text []byte) []byte {
	block, _ := aes.NewCipher(shared) // want `worked out of a key that is kept`
	gcm, _ := cipher.NewGCM(block)    // want `worked out of a key that is kept`
	return gcm.Seal(nil, make([]byte, gcm.NonceSize()), text, nil)
}

// What follows is fine.

func (k *key) prepared(text, nonce []byte) []byte { return k.aead.Seal(nil, nonce, text, nil) }

func newKey(secret []byte) (*key, error) { // once for each key
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	return &key{aead: gcm}, err
}

func fresh(text []byte) []byte { // the key is of this call
	secret := make([]byte, 32)
	rand.Read(secret)
	block, _ := aes.NewCipher(secret)
	gcm, _ := cipher.NewGCM(block)
	return gcm.Seal(nil, make([]byte, gcm.NonceSize()), text, nil)
}

func (k *key) setupCipher() (err error) {
	block, err := aes.NewCipher(k.secret)
	if err != nil {
		return err
	}
	k.aead, err = cipher.NewGCM(block)
	return err
}

func block(k *key) (cipher.Block, error) { return aes.NewCipher(k.secret) } // its callers may keep it

func derived(k *key, salt []byte) (cipher.Block, error) {
	return aes.NewCipher(derive(k.secret, salt))
}

func derive(secret, salt []byte) []byte { return append(secret, salt...) }
