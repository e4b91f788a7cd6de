// Mirrors tensorflow/go/op/op.go.
package op
