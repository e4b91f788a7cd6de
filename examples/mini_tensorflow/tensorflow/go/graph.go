// Mirrors tensorflow/go/graph.go.
package graph
