package lab

// Services lists the lab's patients, in the order of docs/lab.md.
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
