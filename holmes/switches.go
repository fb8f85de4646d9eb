package holmes

// EnableCPUDump has CPU profiles dumped.
func (h *Holmes) EnableCPUDump() *Holmes { return h.enable(cpu, true) }

// DisableCPUDump ends what EnableCPUDump began.
func (h *Holmes) DisableCPUDump() *Holmes { return h.enable(cpu, false) }

// EnableMemDump has heap profiles dumped, by resident memory.
func (h *Holmes) EnableMemDump() *Holmes { return h.enable(mem, true) }

// DisableMemDump ends what EnableMemDump began.
func (h *Holmes) DisableMemDump() *Holmes { return h.enable(mem, false) }

// EnableGCHeapDump has pairs of heap profiles dumped, by the live heap.
func (h *Holmes) EnableGCHeapDump() *Holmes { return h.enable(gcHeap, true) }

// DisableGCHeapDump ends what EnableGCHeapDump began.
func (h *Holmes) DisableGCHeapDump() *Holmes { return h.enable(gcHeap, false) }

// EnableThreadDump has thread and goroutine profiles dumped, by the number of threads.
func (h *Holmes) EnableThreadDump() *Holmes { return h.enable(thread, true) }

// DisableThreadDump ends what EnableThreadDump began.
func (h *Holmes) DisableThreadDump() *Holmes { return h.enable(thread, false) }

// EnableGoroutineDump has goroutine profiles dumped, by the number of goroutines.
func (h *Holmes) EnableGoroutineDump() *Holmes { return h.enable(goroutine, true) }

// DisableGoroutineDump ends what EnableGoroutineDump began.
func (h *Holmes) DisableGoroutineDump() *Holmes { return h.enable(goroutine, false) }

// EnableShrinkThread has threads ended when there are more than WithShrinkThread allows.
func (h *Holmes) EnableShrinkThread() *Holmes {
	return h.must(func(o options) (options, error) { o.shrink.Enable = true; return o, nil })
}

// DisableShrinkThread ends what EnableShrinkThread began, also before its delay is over.
func (h *Holmes) DisableShrinkThread() *Holmes {
	return h.must(func(o options) (options, error) { o.shrink.Enable = false; return o, nil })
}

// EnableProfileReporter has dumps reported again after DisableProfileReporter.
func (h *Holmes) EnableProfileReporter() {
	h.must(func(o options) (options, error) {
		if o.report.reporter == nil {
			return o, errNoReporter
		}
		o.report.active = true
		return o, nil
	})
}

// DisableProfileReporter has dumps not reported.
func (h *Holmes) DisableProfileReporter() {
	h.must(func(o options) (options, error) { o.report.active = false; return o, nil })
}

func (h *Holmes) enable(k kind, on bool) *Holmes {
	return h.must(func(o options) (options, error) { o.kinds[k].Enable = on; return o, nil })
}

// must changes the options where there is nobody to return an error to.
func (h *Holmes) must(f func(options) (options, error)) *Holmes {
	if err := h.change(f); err != nil {
		h.Errorf("[Holmes] %v", err)
	}
	return h
}
