package known

// timers are the functions that make what stays until it fires, is stopped or cancelled.
func timers() []Row {
	return []Row{
		{Functions: []string{"time.NewTimer", "time.newTimer", "time.AfterFunc", "time.After"}, Roles: MakesTimer,
			Work: StartsTimer},
		{Functions: []string{"time.NewTicker", "time.Tick"}, Roles: MakesTimer | Ticks, Work: StartsTimer},
		{Functions: []string{"context.WithDeadline", "context.WithTimeout", "context.WithDeadlineCause",
			"context.WithTimeoutCause"}, Roles: MakesTimer | MakesContext, Work: StartsTimer},
		{Functions: []string{"context.WithCancel", "context.WithCancelCause", "context.withCancel", "context.AfterFunc"},
			Roles: MakesContext},
		{Functions: []string{"context.(*cancelCtx).propagateCancel"}, Roles: MakesContext | KeepsContext},
		{Functions: []string{"runtime.(*timers).run"}, Roles: RunsTimers},
	}
}
