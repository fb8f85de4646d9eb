package tables

import "context"

const channelsTitle = "Channels with and without a buffer"

func channelsTable(ctx context.Context, p pace) (Table, error) {
	var forms []contestant
	for _, room := range []int{0, 1, 16, 256, 4096} {
		forms = append(forms, contestant{count(room), func(n int) (uint64, error) { return passOn(room, n), nil }})
	}
	costs, err := p.measure(ctx, forms)
	if err != nil {
		return Table{}, err
	}
	t := Table{
		Name:  "channels",
		Title: channelsTitle,
		Text: "One goroutine sends numbers, another adds them up. Time on the wall and CPU time for a number, by the " +
			"places in the channel.",
		Columns: []string{"places", "time", "CPU", "none"},
		Said:    "The article has it among the advice without proof.",
		Holds:   channelsHolds,
	}
	none := middleOf(costs[0], cpuOf)
	for i, f := range forms {
		cpu := middleOf(costs[i], cpuOf)
		t.Rows = append(t.Rows, []string{f.name, middleOf(costs[i], wallOf).timed(), cpu.timed(), ratio(none, cpu)})
	}
	return t, nil
}

func passOn(room, n int) (sum uint64) {
	numbers := make(chan int, room)
	go func() {
		for i := range n {
			numbers <- i
		}
		close(numbers)
	}()
	for i := range numbers {
		sum += uint64(i)
	}
	return sum
}
