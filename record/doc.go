// Package record turns log text of any usual form into oomdoc.Record values,
// one after the other, in bounded memory. It decodes; it understands nothing.
package record
