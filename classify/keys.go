package classify

// The keys of evidence that decide which fix helps: package playbook asks for
// them, so that it never judges the numbers a second time.
const (
	EvidenceSlab            = keyShareSlab
	EvidenceSlabReclaimable = keyShareSlabReclaim
	EvidenceSlabOfZone      = keySlabOfZone
	EvidenceSlabCache       = keyCache
	EvidenceUnaccounted     = keyShareUnaccounted
	EvidenceGPU             = keyShareGPU
	EvidencePageTables      = keySharePageTables
	EvidenceKernelStacks    = keyShareStack
	EvidenceShmem           = keyShareShmem
	EvidenceFreeCMA         = keyFreeCMA
	EvidenceFreeReserve     = keyFreeReserve
	EvidenceManyAlike       = keyAlike
)
