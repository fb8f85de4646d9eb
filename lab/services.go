package lab

// Services lists the lab's patients, in the order of docs/evidence/lab.md.
func Services() []Service {
	return withFixes([]Service{
		phonesService(),
		workerService(),
		featureService(),
		computeService(),
		adsService(),
		contentService(),
		messagesService(),
	})
}
