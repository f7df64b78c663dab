package store

import "database/sql"

// A querier is a database or a transaction.
type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
}

// A scan reads the columns of the present row.
type scan func(into ...any) error

// each runs a query to its end and calls read for every row; the first error
// ends it.
func each(from querier, read func(scan) error, query string, args ...any) (failure error) {
	rows, err := from.Query(query, args...)
	if err != nil {
		return err
	}
	defer func() {
		if err := rows.Close(); failure == nil {
			failure = err
		}
	}()
	for rows.Next() {
		if err := read(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
