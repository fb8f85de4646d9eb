module example.com/settled

go 1.26.0
