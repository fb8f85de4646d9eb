package heavy

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
)

// localKMS keeps keys as KMS of AWS does: services encrypt and decrypt what they store, have keys made for files, and
// sign and verify.
func localKMS() Service {
	return Service{
		Name: "local-kms", Module: "github.com/nsmithuk/local-kms", Version: "v0.0.0-20260228092603-2a5e92d09ab6", Main: ".",
		Unseen: true,
		Env:    []string{"PORT={port}", "KMS_DATA_PATH={dir}", "KMS_SEED_PATH={dir}/none.yaml"},
		Load:   loadLocalKMS,
	}
}

// A kmsKeys is what a client of local-kms uses.
type kmsKeys struct {
	ask             func(action string, in map[string]any) map[string]any
	symmetric, sign []string
}

func loadLocalKMS(ctx context.Context, on Target) error {
	return together(ctx, times(8, func(ctx context.Context, i int) error {
		r := rand.New(rand.NewPCG(uint64(i), 71))
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		k := &kmsKeys{ask: func(action string, in map[string]any) map[string]any {
			body, _ := json.Marshal(in) // maps of texts
			status, out, err := send(ctx, client, "http://"+on.Addr, request{method: http.MethodPost, path: "/",
				body: string(body), header: map[string]string{"X-Amz-Target": "TrentService." + action,
					"Content-Type": "application/x-amz-json-1.1"}})
			if ctx.Err() == nil {
				on.Seen.Is(err == nil && status == http.StatusOK)
			}
			var got map[string]any
			if json.Unmarshal(out, &got) != nil {
				return map[string]any{}
			}
			return got
		}}
		k.create(i)
		for ctx.Err() == nil {
			k.work(r)
		}
		return nil
	})...)
}

func (k *kmsKeys) create(i int) {
	id := func(spec, usage string) string {
		meta, _ := k.ask("CreateKey", map[string]any{"Description": "a key", "KeyUsage": usage,
			"CustomerMasterKeySpec": spec})["KeyMetadata"].(map[string]any)
		name, _ := meta["KeyId"].(string)
		return name
	}
	for n := range 5 {
		key := id("SYMMETRIC_DEFAULT", "ENCRYPT_DECRYPT")
		k.symmetric = append(k.symmetric, key)
		k.ask("CreateAlias", map[string]any{"AliasName": fmt.Sprintf("alias/client-%d-%d", i, n), "TargetKeyId": key})
	}
	k.sign = []string{id("ECC_NIST_P256", "SIGN_VERIFY")}
}

func (k *kmsKeys) work(r *rand.Rand) {
	key := pick(r, k.symmetric)
	about := map[string]string{"tenant": fmt.Sprintf("t%d", r.IntN(100)), "table": "orders"}
	switch n := r.IntN(20); {
	case n < 8:
		got, _ := k.ask("Encrypt", map[string]any{"KeyId": key, "EncryptionContext": about,
			"Plaintext": base64.StdEncoding.EncodeToString([]byte(text(r, 40)))})["CiphertextBlob"].(string)
		for range 2 {
			k.ask("Decrypt", map[string]any{"CiphertextBlob": got, "EncryptionContext": about})
		}
	case n < 13:
		got, _ := k.ask("GenerateDataKey", map[string]any{"KeyId": key, "KeySpec": "AES_256"})["CiphertextBlob"].(string)
		k.ask("Decrypt", map[string]any{"CiphertextBlob": got})
	case n < 16:
		digest := base64.StdEncoding.EncodeToString([]byte(text(r, 30)))
		in := map[string]any{"KeyId": k.sign[0], "Message": digest, "SigningAlgorithm": "ECDSA_SHA_256", "MessageType": "RAW"}
		in["Signature"] = k.ask("Sign", in)["Signature"]
		k.ask("Verify", in)
	case n < 18:
		k.ask("DescribeKey", map[string]any{"KeyId": key})
	case n < 19:
		k.ask("ListAliases", map[string]any{"Limit": 20})
	default:
		k.ask("ListKeys", map[string]any{"Limit": 20})
	}
}
