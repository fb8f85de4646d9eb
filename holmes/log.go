package holmes

// tell runs f with the logger, if there is one. A logger that panics is not our host's fault.
func (h *Holmes) tell(f func(l ErrorLogger)) {
	l := h.options().logger
	if l == nil {
		return
	}
	defer func() { _ = recover() }()
	f(l)
}

// Debugf logs at the level debug.
func (h *Holmes) Debugf(format string, args ...interface{}) {
	h.tell(func(l ErrorLogger) { l.Debugf(format, args...) })
}

// Infof logs at the level info.
func (h *Holmes) Infof(format string, args ...interface{}) {
	h.tell(func(l ErrorLogger) { l.Infof(format, args...) })
}

// Warnf logs at the level warn.
func (h *Holmes) Warnf(format string, args ...interface{}) {
	h.tell(func(l ErrorLogger) { l.Warnf(format, args...) })
}

// Errorf logs at the level error.
func (h *Holmes) Errorf(format string, args ...interface{}) {
	h.tell(func(l ErrorLogger) { l.Errorf(format, args...) })
}

// Alertf logs at the level error with a tag.
func (h *Holmes) Alertf(alert string, format string, args ...interface{}) {
	h.tell(func(l ErrorLogger) { l.Alertf(alert, format, args...) })
}
