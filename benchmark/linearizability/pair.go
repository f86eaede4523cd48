package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// Pair is a PostgreSQL server and its asynchronous standby, which takes its place.
type Pair struct {
	programs         string
	primary, standby *server
}

type server struct {
	folder string
	port   int
}

// Needs PostgreSQL as Debian and Ubuntu install it.
func startPair(ctx context.Context, folder string) (*Pair, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return nil, errors.New("--loss failover needs the package postgresql")
	}
	pair := &Pair{filepath.Dir(found[len(found)-1]), newServer(folder), newServer(folder)}
	err := pair.run(ctx, "initdb", pair.primary, "--auth=trust", "--username=postgres")
	if err == nil {
		err = pair.start(ctx, pair.primary)
	}
	if err == nil {
		err = pair.follow(ctx)
	}
	if err != nil {
		pair.stop()
	}
	return pair, err
}

func newServer(folder string) *server {
	port := freePort()
	return &server{filepath.Join(folder, fmt.Sprint("postgres-", port)), port}
}

// The driver finds the primary.
func (p *Pair) url() string {
	return fmt.Sprintf("jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/postgres?user=postgres&targetServerType=primary",
		p.primary.port, p.standby.port)
}

// Makes an asynchronous standby of the primary.
func (p *Pair) follow(ctx context.Context) error {
	if err := os.RemoveAll(p.standby.folder); err != nil {
		return err
	}
	err := p.run(ctx, "pg_basebackup", p.standby, "--host=127.0.0.1", "--port="+strconv.Itoa(p.primary.port),
		"--username=postgres", "--checkpoint=fast", "--write-recovery-conf")
	if err != nil {
		return err
	}
	return p.start(ctx, p.standby)
}

// Lets the standby have all writes so far and none from now on.
func (p *Pair) separate(ctx context.Context) error {
	err := p.await(ctx, "select exists (select from pg_stat_replication where replay_lsn = pg_current_wal_lsn())")
	if err != nil {
		return err
	}
	for _, change := range []string{"alter system set primary_conninfo = ''", "select pg_reload_conf()"} {
		if _, err := p.ask(ctx, p.standby, change); err != nil {
			return err
		}
	}
	return p.await(ctx, "select not exists (select from pg_stat_replication)")
}

// Ends the primary without warning.
func (p *Pair) crash(ctx context.Context) error {
	return p.run(ctx, "pg_ctl", p.primary, "--mode=immediate", "stop")
}

// Makes the standby the primary, and gives it a standby.
func (p *Pair) failOver(ctx context.Context) error {
	if err := p.run(ctx, "pg_ctl", p.standby, "--wait", "promote"); err != nil {
		return err
	}
	p.primary, p.standby = p.standby, p.primary
	return p.follow(ctx)
}

func (p *Pair) start(ctx context.Context, server *server) error {
	return p.run(ctx, "pg_ctl", server, "--wait", "--log="+server.folder+".log", "start", fmt.Sprintf(
		"--options=-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories=''", server.port))
}

func (p *Pair) stop() {
	for _, server := range []*server{p.standby, p.primary} {
		_ = p.run(context.Background(), "pg_ctl", server, "--mode=immediate", "stop")
	}
}

// Runs a program of PostgreSQL on the folder of a server. Servers do not run as root.
func (p *Pair) run(ctx context.Context, program string, server *server, arguments ...string) error {
	command := append([]string{filepath.Join(p.programs, program), "--pgdata=" + server.folder}, arguments...)
	if os.Getuid() == 0 {
		command = append([]string{"unshare", "-U"}, command...)
	}
	// Not a pipe: a server that is started would hold it open
	log, err := os.OpenFile(server.folder+".log", os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	process := exec.CommandContext(ctx, command[0], command[1:]...)
	process.Stdout, process.Stderr = log, log
	if err := process.Run(); err != nil {
		text, _ := os.ReadFile(log.Name())
		return fmt.Errorf("%s: %w\n%s", program, err, text)
	}
	return nil
}

// Waits until a query of the primary returns true.
func (p *Pair) await(ctx context.Context, query string) error {
	for {
		answer, err := p.ask(ctx, p.primary, query)
		if err != nil || answer == "t\n" {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (p *Pair) ask(ctx context.Context, server *server, query string) (string, error) {
	text, err := exec.CommandContext(ctx, filepath.Join(p.programs, "psql"), "--no-psqlrc", "--tuples-only", "--no-align",
		"--host=127.0.0.1", "--port="+strconv.Itoa(server.port), "--username=postgres", "--command="+query).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", query, err)
	}
	return string(text), nil
}
