// Checks whether the service is linearizable: many clients send all kinds of operations to one session, and Porcupine
// looks for an order of them that explains every response. See run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
)

var losses = []string{"", "restore", "failover"}

// How many rounds run at the same time.
const beside = 3

// A loss of writes takes long, so it is one for many rounds.
const besideLosses = 8

func main() {
	seconds := flag.Int("seconds", 60, "for how long")
	replicas := flag.Int("replicas", 2, "how many replicas of the service there are on one database")
	kills := flag.Bool("kills", false, "kill replicas, but for the first, now and then")
	loss := flag.String("loss", "", "how the database loses its newest writes now and then: restore or failover")
	again := flag.String("history", "", "judge a history that was recorded before, and nothing else")
	keep := flag.String("keep", "", "folder for all histories, also those that are right")
	flag.Parse()
	if *again != "" {
		os.Exit(judgeAgain(*again))
	}
	if flag.NArg() == 0 || *replicas < 1 || !slices.Contains(losses, *loss) || *kills && (*replicas < 2 || *loss != "") {
		fmt.Fprintln(os.Stderr, "Behind the options comes the command that starts a replica. "+
			"--loss is restore or failover; --kills needs two replicas, and no --loss")
		os.Exit(2)
	}
	os.Exit(run(flag.Args(), time.Duration(*seconds)*time.Second, *replicas, *kills, *loss, *keep))
}

func run(command []string, duration time.Duration, replicas int, kills bool, loss, keep string) int {
	interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	folder, err := os.MkdirTemp("", "agent-sessions-linearizability-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(folder)
	var pair *Pair
	if loss == "failover" {
		if pair, err = startPair(interrupted, folder); err != nil {
			return fail(err)
		}
		defer pair.stop()
	}
	cluster, err := startCluster(interrupted, command, folder, replicas, pair)
	if err != nil {
		return fail(err)
	}
	defer cluster.stop()
	report := &Report{keep: keep, answers: map[string]int{}}
	if loss != "" {
		err = cycles(interrupted, cluster, duration, report)
	} else {
		err = rounds(interrupted, cluster, duration, kills, report)
	}
	if err != nil {
		return fail(err)
	}
	return report.print(os.Stdout)
}

// Runs some rounds in parallel until the time is up, and checks each when it is done.
func rounds(ctx context.Context, cluster *Cluster, duration time.Duration, kills bool, report *Report) error {
	peace, end := context.WithCancel(ctx)
	killed := make(chan error, 1)
	go func() {
		if !kills {
			killed <- nil
			return
		}
		count, err := cluster.kill(peace)
		report.kills = count
		killed <- err
	}()
	until := time.Now().Add(duration)
	app := fmt.Sprint("linearizability-", until.UnixMilli())
	var working sync.WaitGroup
	for number := range beside {
		working.Add(1)
		go func() {
			defer working.Done()
			for i := 0; time.Now().Before(until) && ctx.Err() == nil; i++ {
				round := newRound(cluster, "/apps/"+app+"/users/alice/sessions", fmt.Sprintf("s-%d-%d", number, i))
				report.judge(round.id, round.run(ctx))
			}
		}()
	}
	working.Wait()
	end()
	return errors.Join(<-killed, ctx.Err())
}

// Runs many rounds in parallel: until writes begin to be lost, until they are lost, and to their end.
// Clients remember what is lost. Their histories do not have it, and have to be right without it.
func cycles(ctx context.Context, cluster *Cluster, duration time.Duration, report *Report) error {
	until := time.Now().Add(duration)
	for cycle := 0; time.Now().Before(until) && ctx.Err() == nil; cycle++ {
		var all []*Round
		for number := range besideLosses {
			all = append(all, newRound(cluster, fmt.Sprintf("/apps/loss-%d/users/alice/sessions", until.UnixMilli()),
				fmt.Sprintf("s-%d-%d", cycle, number)))
		}
		together(all, func(round *Round) { round.work(ctx, enough/2) })
		// A request whose client has disconnected may still be at work
		time.Sleep(time.Second)
		together(all, func(round *Round) { round.beginLoss(ctx) })
		if err := cluster.beginLoss(ctx); err != nil {
			return err
		}
		together(all, func(round *Round) { round.lose(ctx, enough*5/8) })
		crashed := make(chan error, 1)
		go func() { crashed <- cluster.crash(ctx) }()
		together(all, func(round *Round) { round.lose(ctx, enough*3/4) })
		if err := errors.Join(<-crashed, cluster.endLoss(ctx)); err != nil {
			return err
		}
		report.losses++
		together(all, func(round *Round) { report.judge(round.id, round.run(ctx)) })
	}
	return ctx.Err()
}

func together(rounds []*Round, do func(*Round)) {
	var working sync.WaitGroup
	for _, round := range rounds {
		working.Add(1)
		go func() {
			defer working.Done()
			do(round)
		}()
	}
	working.Wait()
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func judgeAgain(path string) int {
	history, err := readHistory(path)
	if err != nil {
		return fail(err)
	}
	fault := findFault(history)
	if fault == "" {
		fmt.Println("An order explains all answers")
		return 0
	}
	why, err := explain(history, path+".html")
	fmt.Println(fault)
	fmt.Println(why)
	if err != nil {
		return fail(err)
	}
	return 1
}
