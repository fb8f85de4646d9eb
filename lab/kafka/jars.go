package kafka

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// jarsDir is where the broker's jars are kept.
func jarsDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding a folder for Kafka's jars: %w", err)
	}
	return filepath.Join(cache, "casebook-lab", "kafka-"+Version), nil
}

// jars is the folder of the broker's jars. They are fetched by Maven when they are not there.
func jars(ctx context.Context) (string, error) {
	dir, err := jarsDir()
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := fetch(ctx, dir); err != nil {
		return "", fmt.Errorf("fetching Kafka's jars: %w", err)
	}
	return dir, nil
}

// fetch has Maven copy the broker and what it depends on into dir: all of it, or nothing.
func fetch(ctx context.Context, dir string) (err error) {
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return errors.New("mvn is not installed: apt-get install maven")
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "fetch-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	if err := os.WriteFile(filepath.Join(tmp, "pom.xml"), []byte(project), 0o600); err != nil {
		return err
	}
	copied := filepath.Join(tmp, "jars")
	cmd := exec.CommandContext(ctx, mvn, "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory="+copied)
	cmd.Dir = tmp
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("mvn dependency:copy-dependencies: %w\n%s", err, out)
	}
	return os.Rename(copied, dir)
}

// project is what Maven needs to know.
const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>casebook</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>` + Version + `</version>
    </dependency>
  </dependencies>
</project>
`
