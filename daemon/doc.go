// Package daemon is the service: it follows the sources, joins events to
// incidents, stores them and sends the alerts.
package daemon
