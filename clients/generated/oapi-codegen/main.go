// Seven steps with the client that oapi-codegen makes of openapi.json.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"strings"

	"generated/atrium"
)

var passed, failed int

// step counts whether the work fails.
func step(title string, work func() error) {
	if err := work(); err != nil {
		failed++
		fmt.Println("FAIL", title, "|", err)
		return
	}
	passed++
	fmt.Println("ok  ", title)
}

func check(isFine bool, format string, values ...any) error {
	if isFine {
		return nil
	}
	return fmt.Errorf(format, values...)
}

func pointer[T any](value T) *T { return &value }

func connect(key string) *atrium.ClientWithResponses {
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client, err := atrium.NewClientWithResponses(os.Getenv("ATRIUM_ORIGIN")+"/api/v1", atrium.WithRequestEditorFn(withKey))
	if err != nil {
		panic(err)
	}
	return client
}

func main() {
	const words = "Once upon a time there was a goose."
	ctx := context.Background()
	var door struct{ Key, CollectionId string }
	if err := json.Unmarshal([]byte(os.Getenv("ATRIUM_SANDBOX")), &door); err != nil {
		panic(err)
	}
	client := connect(door.Key)
	agent := ""

	step("1 an agent is created", func() error {
		reply, err := client.CreateAgentWithResponse(ctx, nil, atrium.AgentInput{Name: "Generated"})
		if err != nil {
			return err
		}
		if reply.JSON201 == nil {
			return fmt.Errorf("%s", reply.Body)
		}
		agent = reply.JSON201.Data.Id
		return nil
	})
	step("2 the agent runs", func() error {
		reply, err := client.RunAgentWithResponse(ctx, agent, nil, atrium.RunInput{Prompt: pointer("sim:output=" + words)})
		if err != nil {
			return err
		}
		return check(reply.JSON200 != nil && *reply.JSON200.Data.Output == words, "%s", reply.Body)
	})
	step("3 a file is uploaded", func() error {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		form.WriteField("collectionId", door.CollectionId)
		file, _ := form.CreateFormFile("file", "otters.txt")
		file.Write([]byte("Otters hold hands."))
		form.Close()
		params := &atrium.UploadDocumentParams{Prefer: pointer("wait=30")}
		reply, err := client.UploadDocumentWithBodyWithResponse(ctx, params, form.FormDataContentType(), &body)
		if err != nil {
			return err
		}
		return check(reply.JSON201 != nil && reply.JSON201.Data.Status == "ready", "%s", reply.Body)
	})
	step("4 a search finds it", func() error {
		reply, err := client.SearchKnowledgeWithResponse(ctx, &atrium.SearchKnowledgeParams{Query: "otters"})
		if err != nil {
			return err
		}
		return check(reply.JSON200 != nil && len(reply.JSON200.Data) > 0, "%s", reply.Body)
	})
	step("5 a list has pages", func() error {
		ids := map[string]bool{}
		for page := 1; page <= 2; page++ {
			params := &atrium.ListDocumentsParams{Page: pointer(page), PageSize: pointer(1)}
			reply, err := client.ListDocumentsWithResponse(ctx, params)
			if err != nil {
				return err
			}
			if reply.JSON200 == nil || reply.JSON200.Meta.Page != page {
				return fmt.Errorf("%s", reply.Body)
			}
			ids[reply.JSON200.Data[0].Id] = true
		}
		return check(len(ids) == 2, "the same document twice")
	})
	step("6 errors are typed", func() error {
		refused, err := client.CreateAgentWithResponse(ctx, nil, atrium.AgentInput{Name: ""})
		if err != nil {
			return err
		}
		if refused.JSON400 == nil || refused.JSON400.Errors[0].Field != "name" {
			return fmt.Errorf("%s", refused.Body)
		}
		absent, err := client.GetAgentWithResponse(ctx, "agt_01m8h7fs88b10zxfysyhwme600", nil)
		if err != nil {
			return err
		}
		if absent.JSON404 == nil || absent.JSON404.Code != "not_found" {
			return fmt.Errorf("%s", absent.Body)
		}
		stranger, err := connect("sk_test_bad").ListAgentsWithResponse(ctx, nil)
		if err != nil {
			return err
		}
		return check(stranger.JSON401 != nil && stranger.JSON401.Code == "unauthenticated", "%s", stranger.Body)
	})
	step("7 a webhook is created, listed and deleted", func() error {
		body := atrium.WebhookInput{Url: "https://example.com/hooks/generated"}
		created, err := client.CreateWebhookWithResponse(ctx, nil, body)
		if err != nil {
			return err
		}
		if created.JSON201 == nil || !strings.HasPrefix(*created.JSON201.Data.Secret, "whsec_") {
			return fmt.Errorf("%s", created.Body)
		}
		listed, err := client.ListWebhooksWithResponse(ctx, nil)
		if err != nil {
			return err
		}
		if listed.JSON200 == nil || !strings.Contains(string(listed.Body), created.JSON201.Data.Id) {
			return fmt.Errorf("%s", listed.Body)
		}
		deleted, err := client.DeleteWebhookWithResponse(ctx, created.JSON201.Data.Id, nil)
		if err != nil {
			return err
		}
		if _, err := client.DeleteAgentWithResponse(ctx, agent, nil); err != nil {
			return err
		}
		return check(deleted.StatusCode() == 204, "status %d", deleted.StatusCode())
	})

	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
