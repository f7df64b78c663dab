-- "oomd": lets this program, and file(1), tell its database from another's.
PRAGMA application_id = 0x6f6f6d64;

-- One row per incident: what is searched, sorted and counted. Times are
-- nanoseconds since 1970, NULL is unknown.
CREATE TABLE incident (
	key              INTEGER PRIMARY KEY,          -- in the order of storing
	id               TEXT    NOT NULL UNIQUE,      -- what people type
	content_id       TEXT    NOT NULL,             -- made from the content alone; differs from id only
	                                               -- where two kills have the same content

	-- When and where in the log.
	at_ns            INTEGER NOT NULL,             -- sorts: time_ns, else when read, else when stored
	time_ns          INTEGER,
	time_approximate INTEGER NOT NULL,
	source           TEXT    NOT NULL,
	boot_id          TEXT,                         -- 32 hexadecimal digits, without dashes
	seq              INTEGER,                      -- of the deciding record; 64 bits, unsigned
	usec             INTEGER,                      -- kernel stamp of the deciding record
	replayed         INTEGER NOT NULL,

	-- The verdict.
	class            TEXT    NOT NULL,
	cause            TEXT    NOT NULL,
	outcome          TEXT    NOT NULL,
	killer           TEXT,
	burst            TEXT,                         -- id of the first incident of the burst
	count            INTEGER NOT NULL,
	selftest         INTEGER NOT NULL,

	-- Who it was.
	pid              INTEGER,
	name             TEXT,
	uid              INTEGER,
	unit             TEXT,
	user_unit        TEXT,
	container        TEXT,
	pod              TEXT,
	engine           TEXT,
	offender         TEXT,                         -- what keeps failing: "unit:…", "container:…", "program:…"

	-- Which reading the verdict is from (merge.go).
	reading          INTEGER NOT NULL,             -- number of the opening that wrote it
	revision         INTEGER NOT NULL,
	final            INTEGER NOT NULL,

	-- The stations that it passed.
	seen_ns          INTEGER,                      -- the deciding record was read
	stored_ns        INTEGER NOT NULL,             -- first stored
	alerted_ns       INTEGER,
	alerted_how      TEXT
) STRICT;

CREATE INDEX incident_at      ON incident (at_ns);
CREATE INDEX incident_content ON incident (content_id);
CREATE INDEX incident_stored  ON incident (stored_ns);

-- The whole incident as JSON, its sentences unrendered. Apart, so that a search
-- over all incidents reads little.
CREATE TABLE detail (
	incident INTEGER PRIMARY KEY REFERENCES incident (key) ON DELETE CASCADE,
	json     TEXT NOT NULL
) STRICT;

-- The raw records, zlib over (length, bytes)*; they go before the incident does.
CREATE TABLE record (
	incident  INTEGER PRIMARY KEY REFERENCES incident (key) ON DELETE CASCADE,
	stored_ns INTEGER NOT NULL,
	lines     INTEGER NOT NULL,
	bytes     INTEGER NOT NULL,                    -- of the lines, before compression
	size      INTEGER NOT NULL,                    -- of data
	data      BLOB    NOT NULL
) STRICT;

-- Answers the sum of sizes and the oldest rows without reading any data.
CREATE INDEX record_stored ON record (stored_ns, size);

-- How far each source has been read, written together with what was found there.
CREATE TABLE position (
	source     TEXT PRIMARY KEY,
	boot_id    TEXT    NOT NULL,
	seq        INTEGER NOT NULL,
	cursor     TEXT    NOT NULL,
	updated_ns INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Records that are known to be missing.
CREATE TABLE gap (
	key      INTEGER PRIMARY KEY,
	source   TEXT    NOT NULL,
	boot_id  TEXT    NOT NULL,
	from_seq INTEGER NOT NULL,
	to_seq   INTEGER NOT NULL,
	lost     INTEGER NOT NULL,
	exact    INTEGER NOT NULL,
	reason   TEXT    NOT NULL,
	time_ns  INTEGER NOT NULL
) STRICT;

CREATE INDEX gap_time ON gap (time_ns);

-- What the daemon says of itself, as JSON.
CREATE TABLE state (
	key        TEXT PRIMARY KEY,
	value      TEXT    NOT NULL,
	updated_ns INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
