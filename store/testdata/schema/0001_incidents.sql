PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE migration (
	name       TEXT PRIMARY KEY,
	applied_ns INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO migration VALUES('migration/0001_incidents.sql',1796097547806096949);
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
INSERT INTO incident VALUES(1,'k000000001','k000000001',1796093999999999999,1796093999999999999,0,'kmsg','0f7c2b7e94f44d6f9b532f7d3c5d1a01',1100,2000000,0,'host-ram','cgroup-limit','killed','kernel',NULL,1,1,4001,'python3',1000,'train.service',NULL,NULL,NULL,NULL,NULL,1,0,1,1796094001001000000,1796097547809382902,NULL,NULL);
INSERT INTO incident VALUES(2,'k000000000','k000000000',1796094000000000000,1796094000000000000,0,'kmsg','0f7c2b7e94f44d6f9b532f7d3c5d1a01',1000,1000000,0,'host-ram','cgroup-limit','killed','kernel',NULL,1,0,4000,'python3',1000,'train.service',NULL,NULL,NULL,NULL,'unit:train.service',1,0,1,1796094000001000000,1796097547809480468,NULL,NULL);
CREATE TABLE detail (
	incident INTEGER PRIMARY KEY REFERENCES incident (key) ON DELETE CASCADE,
	json     TEXT NOT NULL
) STRICT;
INSERT INTO detail VALUES(1,'{"id":"k000000001","time":"2026-12-01T02:59:59.999999999Z","boot_id":"0f7c2b7e-94f4-4d6f-9b53-2f7d3c5d1a01","source":"kmsg","count":1,"selftest":true,"class":"host-ram","cause":"cgroup-limit","confidence":"certain","outcome":"killed","killer":"kernel","summary":{"key":"summary.test","args":{"limit":{"k":"b","n":8589934592},"name":{"k":"s","s":"python3"}}},"process":{"pid":4001,"name":"python3","cmdline":["python3","train.py"],"uid":1000,"unit":"train.service","cgroup":"/system.slice/train.service"},"victims":[{"pid":4001,"name":"python3","rss_bytes":7516192768}],"memory":{"limit_bytes":8589934592,"used_bytes":8589934592},"kernel":{"constraint":"CONSTRAINT_MEMCG","order":0,"oom_cgroup":"/system.slice/train.service"},"evidence":[{"text":{"key":"evidence.limit","args":{"limit":{"k":"b","n":8589934592}}},"record":"memory: usage 8388608kB, limit 8388608kB, failcnt 21"},{"text":{"key":"evidence.kill","args":{"pid":{"k":"n","n":4001}}},"record":"Memory cgroup out of memory: Killed process 4242 (python3)"}],"fixes":[{"fix":8,"slug":"host","title":{"key":"fix.host"}}]}');
INSERT INTO detail VALUES(2,'{"id":"k000000000","time":"2026-12-01T03:00:00Z","boot_id":"0f7c2b7e-94f4-4d6f-9b53-2f7d3c5d1a01","source":"kmsg","count":1,"class":"host-ram","cause":"cgroup-limit","confidence":"certain","outcome":"killed","killer":"kernel","summary":{"key":"summary.test","args":{"limit":{"k":"b","n":8589934592},"name":{"k":"s","s":"python3"}}},"process":{"pid":4000,"name":"python3","cmdline":["python3","train.py"],"uid":1000,"unit":"train.service","cgroup":"/system.slice/train.service"},"victims":[{"pid":4000,"name":"python3","rss_bytes":7516192768}],"memory":{"limit_bytes":8589934592,"used_bytes":8589934592},"kernel":{"constraint":"CONSTRAINT_MEMCG","order":0,"oom_cgroup":"/system.slice/train.service"},"evidence":[{"text":{"key":"evidence.limit","args":{"limit":{"k":"b","n":8589934592}}},"record":"memory: usage 8388608kB, limit 8388608kB, failcnt 21"},{"text":{"key":"evidence.kill","args":{"pid":{"k":"n","n":4000}}},"record":"Memory cgroup out of memory: Killed process 4242 (python3)"}],"fixes":[{"fix":8,"slug":"host","title":{"key":"fix.host"}}]}');
CREATE TABLE record (
	incident  INTEGER PRIMARY KEY REFERENCES incident (key) ON DELETE CASCADE,
	stored_ns INTEGER NOT NULL,
	lines     INTEGER NOT NULL,
	bytes     INTEGER NOT NULL,                    -- of the lines, before compression
	size      INTEGER NOT NULL,                    -- of data
	data      BLOB    NOT NULL
) STRICT;
INSERT INTO record VALUES(2,1796097547809780094,78,4129,1886,X'78017c57e18ee3b611c63d46d33619244db0db95cf438a9428dff982bbbdcdf570b9ebc2b7010a0485404b9457b1640992bce7fdd11f7d973e431fa64f530c298bdecd258461cbe4371f87f3cd50e45a044ab080331eb228e48a07b367b7cd66633a287777cdd6e4d034f56c5b5695e916b029dab4d6fd7689872cc3b3373f5ca7efae561fae7e3c0fa0e972d32d3180a6a9d33e6b3a93eafc9725162250824f532432983dbbbcfe6901083fbd7d4d3fd7f4c3a562315c3675bd80d1830fcd00832e7783c9217acad45321664536bb8b640cdf30b85e5d5dbdbfbe39db353b730e5f8a4089f0384d8848d3e8aa829b4e6766f1052d54f8e130983d83e7372f3fbe7b11d090f443110de5fbba4dfb4167dbb4baab2ef020e3391e14fe95c0d104661e7c6b746eba0b3c88708e07962127683c413923dea6a9d36d595569db3599e9fba75953e5177850c4ae6764a2bc09c50a9afd9036455a9bbae9ee2ff0c09998e34122c6844e267448e2416dea34db74cdbe4d1f1b66488e3144112889de2e26c786ee3ecd6e75b7313453b6a185703ec74354d845cb294b428164f008cc8b391e1264c4cd276e61179d12e5d12b6747ebc8bc45e82dec9af326d5bb66775f37fb3e6df586f0a120ff13b481955e4b69ddf91ed2346d07933645d19b21ad757b810746aa31746e798da5953f4d6ff52eaf4c5ad769a1f7d5708107cdcc1c0f85c0a7b4102fb4b442ff1a9f934f2173702fb64c2844e69059e727761647733cc4b193c00b1dd945ebbe4e7f65c24983102fc81daf75a482d9b3d5dbeb052086e1020f521a16471186a132ff7b2202157981634a8ccb26378406b41fc160ada028fc679d00e7e32822ac3560480f235e814aa030b02ec61ed76f14b00c8a7ce42198847c0db100262d899dce7d3fcfa21780021802328b6590d939a9c702858230815c43cca140906bc8429021f5d3fceb17b4349f8ab1a0387cb471e0eb0522625c1419263c59871ce1ea871f5fbef948eb46865cc53764eed333a6d45fbdfc8705605ca80233432408ab5763af6dd27e23ac2ec75ec23256c875b20e2da9cfe0d86af37a04dac663b34632fff8d64d65db44fafab4776c96d427794c09b57a65174a9e8e6b9446c10a95272dc6062b4c7cefb159525f068a2a67c5f03190735831f6a8978b08568c3fea45e9487da5282af9150b1df0a846ae8c861513aef7a411a974bdc71c1618f23f9250be9e942dd8e773bb615f46818a7cf128ca01b73b2e60dfeb8d01814984db570154655d0efe6fa1cb2adb0dc0921571f87a52a499e3b8e83fe9f6378812c4982509972216982845531c39f16f51a0625f750905775b9bfac8a504c19d47bf4b2489c8e77842017d6f777f703b3bf4831e7a289a0ee6db6cb6d67d992dbe20ab29b505a388653abb35805fd1d094a082d16ed3f53d08a6648c5cfc99c6a75c13f6a5d6f57d7abbdf18404b3c258d605433fd6d6d6a4020c3497a3754ebb635795a94d5d1769251300a735e76c33de097643ba9281825f8a7ae1ccc5a675bc080862781c6e1a6db96bb0d6def9db13bb67d4b38b09a422f3885fe3360e7d31fa240a929bc92d3ce4e9abb38a9298492db957ed2ad0d633e8e4f7174e3eda6dd943b60c859f227629ee22839ad96c69bfde062a5a6304a4eeb6d37761564cdad4a6a0ae61150eb5f1c06cf897d8aa50c6991e54e674379675c1c048b63c950902c6a0aad0c29814e71f835514dc195f6e43051b92811473285d441468e13800f6348f9b6df99bb321bf49ab4a7344e7c34432ad3dbd274bacb6ecb4c57742868bafbd4558460890851e0f751a0121fe3cf5af59f46a384f3308c39869192228e59ccb8f5db6b1052ae0fcda0abd4aa08f82d4de07508497e07382d896f08e5c578881a0bc34e752208a58b631acbe33b2239d181f2c1011e1489e539518332c3c1c652f94b142478a285079c140c2790d7c31ed21ccb672a810e57e04cbc42f6b0f69b264ef5af68162fcf8909158a8d6e823efcf6a0e52869dc4a908f28afc1098acae5584e5fd35c5e034909e4b808658bea3b827809a457fb41697d4b302fc403982fb039a1bc0ef6c8e7e69b6ac3c6ed58663439f3b248afbf3e294a3c8b82847961a4cf8289d6c5d6f279394e8023df09cc4b608f9acecd07e5a7685aaf4444dbc58deeb7bd7d7b183873af3bb8d3d5def450ee80ced9fdf9e2df4fc8d2ab13d1f6f133405be600ff04803d3d0c9b320737ed5d0db651fdd06bc306891eacbff4e0eaa1ddd89da14fd7f783e98112c2ec86dede89a60b23ec746dfe451e78e523da5b7e067747240f00d0fda17939c328a207865224ee81a3a207805030f7606d001853b112f48f1ad2d7d470bc78fec706c0675544c236e335789135bb7ee8e85ababcfcfb878f37ab976f3fdca4efafde5fbe09764d6e6aba1f9fedf655751e64edbe37c3721ed4a6ee535d55cd27932f31a05b606dea6cb39cdedfc1a0fbed673b97ee3a1cb465beb4b7e4605fe64bfcef933048d894d411a3f278784ca012690aba1236ddfd02de9555657268ddcd730ce099633f775aceeeea85123cb24715d271d6f5fd42a00a391d5e4850dbc34207b1c2da1e7bdca20b3d4e3a2f188bb6af1ecabbc0ff070000ffff191367e6');
CREATE TABLE position (
	source     TEXT PRIMARY KEY,
	boot_id    TEXT    NOT NULL,
	seq        INTEGER NOT NULL,
	cursor     TEXT    NOT NULL,
	updated_ns INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
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
CREATE TABLE state (
	key        TEXT PRIMARY KEY,
	value      TEXT    NOT NULL,
	updated_ns INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO state VALUES('daemon','{"records":1}',1796097547809883217);
INSERT INTO state VALUES('store.opening','1',1796097547808748057);
CREATE INDEX incident_at      ON incident (at_ns);
CREATE INDEX incident_content ON incident (content_id);
CREATE INDEX incident_stored  ON incident (stored_ns);
CREATE INDEX record_stored ON record (stored_ns, size);
CREATE INDEX gap_time ON gap (time_ns);
COMMIT;
