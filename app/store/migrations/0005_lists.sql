-- What the list of services needs, so that it reads no texts of cases.
CREATE INDEX cases_by_service ON cases (service, opened, worst);

-- For a list of one kind: without it SQLite went through all findings of the kind for each case.
CREATE INDEX findings_of_case ON findings (case_id, kind);
