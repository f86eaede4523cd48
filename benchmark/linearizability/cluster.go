package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	longestStart = 10 * time.Minute
	longestPeace = 4 * time.Second
)

var databasePort = regexp.MustCompile(`PostgreSQL runs on port (\d+)`)

// Cluster is some replicas of the service on one database, which the first replica starts if there is no pair of servers.
type Cluster struct {
	command  []string
	folder   string
	pair     *Pair
	replicas []*replica
}

type replica struct {
	process *exec.Cmd
	// Where it listens; it moves when it is started again
	address atomic.Value
}

// Starts the replicas. The command is completed with settings of the service.
func startCluster(ctx context.Context, command []string, folder string, count int, pair *Pair) (*Cluster, error) {
	cluster := &Cluster{command: command, folder: folder, pair: pair}
	for number := range count {
		cluster.replicas = append(cluster.replicas, &replica{})
		if err := cluster.start(ctx, number); err != nil {
			cluster.stop()
			return nil, err
		}
	}
	return cluster, nil
}

func (c *Cluster) start(ctx context.Context, number int) error {
	port := freePort()
	database, err := c.database(number)
	if err != nil {
		return err
	}
	log, err := os.OpenFile(c.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	process := exec.Command(c.command[0], append(slices.Clone(c.command[1:]), fmt.Sprintf("--server.port=%d", port), database)...)
	process.Stdout, process.Stderr = log, log
	if err := process.Start(); err != nil {
		return err
	}
	c.replicas[number].process = process
	address := fmt.Sprintf("http://127.0.0.1:%d", port)
	if err := c.await(ctx, address); err != nil {
		return err
	}
	c.replicas[number].address.Store(address)
	return nil
}

// The setting with which the first replica starts a database, and the others find it.
func (c *Cluster) database(number int) (string, error) {
	if c.pair != nil {
		return "--spring.datasource.url=" + c.pair.url(), nil
	}
	if number == 0 {
		return "--agent-sessions.embedded.data-directory=" + c.data(), nil
	}
	log, err := os.ReadFile(c.log())
	ports := databasePort.FindAllSubmatch(log, -1)
	if err != nil || ports == nil {
		return "", fmt.Errorf("no port of the database in %s: %w", c.log(), err)
	}
	return fmt.Sprintf("--spring.datasource.url=jdbc:postgresql://localhost:%s/postgres?user=postgres", ports[len(ports)-1][1]), nil
}

// The folder of the database.
func (c *Cluster) data() string {
	return filepath.Join(c.folder, "data")
}

// From now on, writes will be lost: those since a backup, or those that the standby does not get.
func (c *Cluster) beginLoss(ctx context.Context) error {
	if c.pair != nil {
		return c.pair.separate(ctx)
	}
	return c.exchange(ctx, c.data(), c.data()+".backup")
}

// Ends the primary, whatever the clients do at the time.
func (c *Cluster) crash(ctx context.Context) error {
	if c.pair == nil {
		return nil
	}
	return c.pair.crash(ctx)
}

// Restores the backup, or makes the standby the primary.
func (c *Cluster) endLoss(ctx context.Context) error {
	if c.pair == nil {
		return c.exchange(ctx, c.data()+".backup", c.data())
	}
	if err := c.pair.failOver(ctx); err != nil {
		return err
	}
	for number := range c.replicas {
		if err := c.await(ctx, c.address(number)); err != nil {
			return err
		}
	}
	return nil
}

// Copies the folder of the database while nothing uses it, and starts the replicas again.
func (c *Cluster) exchange(ctx context.Context, from, to string) error {
	c.stop()
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if text, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	for number := range c.replicas {
		if err := c.start(ctx, number); err != nil {
			return err
		}
	}
	return nil
}

// All replicas write to one log, the first one from its beginning.
func (c *Cluster) log() string {
	return filepath.Join(c.folder, "service.log")
}

func (c *Cluster) await(ctx context.Context, address string) error {
	for end := time.Now().Add(longestStart); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		answer, err := http.Get(address + "/actuator/health/readiness")
		if err != nil {
			continue
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return nil
		}
	}
	log, _ := os.ReadFile(c.log())
	return fmt.Errorf("the service is not ready:\n%s", log[max(0, len(log)-5000):])
}

// Kills replicas now and then and starts them again, but never the first, because all need its database.
func (c *Cluster) kill(ctx context.Context) (int, error) {
	for kills := 0; ; kills++ {
		select {
		case <-ctx.Done():
			return kills, nil
		case <-time.After(rand.N(longestPeace)):
		}
		number := 1 + rand.IntN(len(c.replicas)-1)
		process := c.replicas[number].process
		process.Process.Kill()
		process.Wait()
		if err := c.start(ctx, number); err != nil && ctx.Err() == nil {
			return kills, err
		}
	}
}

// The address of one of the replicas.
func (c *Cluster) any() string {
	return c.address(rand.IntN(len(c.replicas)))
}

func (c *Cluster) address(number int) string {
	return c.replicas[number].address.Load().(string)
}

// Ends all replicas, the one with the database last.
func (c *Cluster) stop() {
	for i := len(c.replicas) - 1; i >= 0; i-- {
		if process := c.replicas[i].process; process != nil {
			process.Process.Signal(syscall.SIGTERM)
			process.Wait()
		}
	}
}

// A port that the system gives to no client, so that it is still free when a program opens it.
func freePort() int {
	for {
		port := 20_000 + rand.IntN(12_000)
		if listener, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil {
			listener.Close()
			return port
		}
	}
}
